// Every scene by its name. A scene has the messages that the extension would send, what the panel had kept, and what is then done on the page; or it
// is a report of a run, or a flame graph as a page of its own.
import { scenes as advice } from './advice.mjs';
import { scenes as compare } from './compare.mjs';
import { scenes as disturbed } from './disturbed.mjs';
import { scenes as flame } from './flame.mjs';
import { scenes as experiments } from './experiments.mjs';
import { scenes as versions } from './versions.mjs';
import { scenes as workbench } from './workbench.mjs';

export const scenes = { ...workbench, ...advice, ...compare, ...experiments, ...disturbed, ...versions, ...flame };
