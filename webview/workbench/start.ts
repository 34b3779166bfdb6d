import { reportPolicyViolations } from '../kit/page/vscodeApi.ts';
import './workbenchApp.ts';

reportPolicyViolations();
