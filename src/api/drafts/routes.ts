import {lifetimes, limits} from '../../domain/core/limits.js';
import {draftSchema, newDraftPartSchema} from '../../domain/drafts/draft.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentContent} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {draftPartsQuerySchema, draftQuerySchema} from './schemas.js';

const single = '/v1/drafts/{member}';
const tag = 'Drafts';

export function createDraftRoutes({drafts}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getDraft',
      tag,
      summary: "Get the draft of a member's standup",
      description: `Returns what programs have prepared for a member, a team and a day. \`{member}\` is an id, e-mail address, Slack user or \`me\`. The member gets all parts; a service account gets those that it wrote. Everyone else gets 404. A part is deleted ${lifetimes.draft / 86_400} days after its last change, and when the member posts for that team and day. The \`ETag\` changes with the content.`,
      scope: 'standups:read',
      query: draftQuerySchema,
      success: {status: 200, schema: draftSchema},
      neverCompressed: true,
      errors: ['not_found', 'team_not_found'],
      handle: async (input) => {
        const draft = await drafts.findDraft(input.call, input.params['member'] ?? '', input.query);
        return presentContent(draft, input);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: single,
      operation: 'setDraftPart',
      tag,
      summary: 'Set a part of a draft',
      description: `Sets the part of one source; parts of other sources do not change. Nothing is posted, no event is made, and no message is sent: the member sees the draft in their form, and posts it or not. A draft has at most ${limits.draftParts} parts of one writer. A member has ${limits.draftPartsPerMember} of their own in all teams and days, and ${limits.draftPartsPerMember} of others. One of these others writes at most ${limits.draftPartsPerOtherWriter}. Parts of deleted teams do not count. To write for another member, a caller needs \`standups:write_any\` and the right to post for them. It cannot replace a part that someone else wrote.`,
      scope: 'standups:write',
      query: noQuerySchema,
      body: newDraftPartSchema,
      success: {status: 204},
      errors: [
        'not_found',
        'insufficient_scope',
        'forbidden',
        'team_not_found',
        'date_not_allowed',
        'limit_reached',
      ],
      handle: async ({call, params, body}) =>
        presentAnswer(await drafts.setDraftPart(call, params['member'] ?? '', body)),
    }),
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'deleteDraftParts',
      tag,
      summary: 'Delete parts of a draft',
      description:
        'Deletes the part of `source`, or all parts. The member can delete any part; others, with `standups:write_any`, only those that they wrote. Without such a part nothing changes.',
      scope: 'standups:write',
      query: draftPartsQuerySchema,
      success: {status: 204},
      errors: ['not_found', 'insufficient_scope', 'team_not_found'],
      handle: async ({call, params, query}) =>
        presentAnswer(await drafts.deleteDraftParts(call, params['member'] ?? '', query)),
    }),
  ];
}
