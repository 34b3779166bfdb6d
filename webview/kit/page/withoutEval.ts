import { config } from 'zod';

// The page's policy allows no eval. Without this zod tries it once, to compile its checks, and the attempt counts as a violation.
config({ jitless: true });
