import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';

/** The maximum size of a problem in bytes. */
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
      .max(limits.inputErrors)
      .optional()
      .meta({
        description: `The errors, at most ${limits.inputErrors}. \`detail\` says if there are more.`,
      }),
    tries_left: z
      .int()
      .optional()
      .meta({description: 'After a wrong code at the sign-in page: how often another code may be tried.'}),
  })
  .meta({id: 'Problem', description: 'RFC 9457 problem details; `code` is the stable name.'});
