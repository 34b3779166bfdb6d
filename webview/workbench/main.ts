// First of all: it must be in force before any schema is made.
import '../shared/withoutEval.ts';
import { registerToolkit } from '../shared/toolkit.ts';
import { reportPolicyViolations } from '../shared/vscodeApi.ts';
import './workbenchApp.ts';

reportPolicyViolations();
registerToolkit();
