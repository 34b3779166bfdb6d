import * as z from 'zod';

export const exitSchema = z.object({ code: z.number().nullable(), signal: z.string().nullable() });
export type Exit = z.infer<typeof exitSchema>;

/** "exited with code 1" or "was ended by SIGKILL", to go after its name. */
export function exitPhrase({ code, signal }: Exit): string {
  return signal === null ? `exited with code ${code ?? 'unknown'}` : `was ended by ${signal}`;
}
