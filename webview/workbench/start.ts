import { reportPolicyViolations } from '../shared/vscodeApi.ts';
import './workbenchApp.ts';

reportPolicyViolations();
