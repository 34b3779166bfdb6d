// It must be in force before any schema is made. The parts of a bundle run before whoever imports them, so that all that knows a schema comes by import().
import '../kit/page/withoutEval.ts';
import { registerToolkit } from '../kit/page/toolkit.ts';

// Before the page's load event: that is when the toolkit reads the theme's colours.
registerToolkit();
void import('./start.ts');
