import {z} from 'zod';
import {id, resourceEnd} from '../../domain/core/schemas.js';

export const serviceAccountSchema = z
  .object({
    id: id('service_account'),
    object: z.literal('service_account'),
    name: z.string().meta({description: 'The name, unique in the workspace.'}),
    ...resourceEnd,
  })
  .meta({
    id: 'ServiceAccount',
    description:
      'A program that acts in its own name. It is created with its first token (`service_account` of `POST /v1/tokens`).',
  });
