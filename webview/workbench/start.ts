import { reportPolicyViolations } from '../kit/page/vscodeApi.ts';
import './workbenchApp.ts';
import '../kit/style/palette.ts';

reportPolicyViolations();
