import {z} from 'zod';

/** How many faults a refusal names, and how many bytes it has, at the most. */
export const mostFaults = 20;
export const mostProblemBytes = 16 * 1024;

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.string(),
    request_id: z.string(),
    errors: z
      .array(
        z.object({
          code: z.string(),
          detail: z.string(),
          pointer: z.string().optional(),
          parameter: z.string().optional(),
          header: z.string().optional(),
        }),
      )
      .max(mostFaults)
      .optional()
      .meta({
        description: `What is wrong, at most ${mostFaults} things; \`detail\` says when there are more.`,
      }),
  })
  .meta({id: 'Problem', description: 'RFC 9457 problem details; `code` is the stable name.'});
