import { registerToolkit } from '../shared/toolkit.ts';
import { reportPolicyViolations } from '../shared/vscodeApi.ts';
import './workbench.css';
import './workbenchApp.ts';

reportPolicyViolations();
registerToolkit();
document.body.append(document.createElement('benchside-workbench'));
