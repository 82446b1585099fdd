import {z} from 'zod';
import {oneOf} from '../../domain/core/schemas.js';
import {deviceDecisions} from '../../domain/tokens/device-login.js';

export const newDeviceDecisionSchema = z
  .strictObject({
    decision: oneOf(deviceDecisions).meta({
      description: '`approve` creates an access token for the program. `deny` ends its sign-in.',
    }),
  })
  .meta({id: 'NewDeviceLoginDecision', description: 'The decision about the sign-in of a program.'});
