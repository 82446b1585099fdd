import {z} from 'zod';
import {id, resource} from '../http/shared-schemas.js';

export const serviceAccountSchema = z
  .object({
    id: id('service_account'),
    object: z.literal('service_account'),
    name: z.string().meta({description: 'The name, unique in the workspace.'}),
    ...resource,
  })
  .meta({
    id: 'ServiceAccount',
    description:
      'A program that acts in its own name. It is created with its first token (`service_account` of `POST /v1/tokens`).',
  });
