import {limits} from '../../domain/core/limits.js';
import {mailStates} from '../../domain/mail/mail.js';
import {bounceSchema, mailSchema} from '../../domain/mail/shown-mail.js';
import {oneOf} from '../../domain/core/schemas.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';

const collection = '/v1/mails';
const single = `${collection}/{mail}`;
const tag = 'Mails';
const scope = 'workspace:manage';

const querySchema = pageQuerySchema.extend({
  state: oneOf(mailStates).optional().meta({description: 'Only mails in this state.'}),
});

export function createMailRoutes({outbox}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listMails',
      tag,
      summary: 'List mails',
      description:
        'Returns the newest first. Only owners, admins and service accounts can read it. With `state`, a page can have fewer rows than `limit`, or none, while `has_more` is true.',
      scope,
      query: querySchema,
      success: {status: 200, schema: mailSchema, list: true},
      errors: ['forbidden', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, state} = input.query;
        const query = {state, past: input.cursors.open(cursor), limit};
        const {mails, next} = await outbox.listMails(input.call, query);
        return presentPage(
          mails.map((mail) => JSON.stringify(mail)),
          next,
          input,
        );
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getMail',
      tag,
      summary: 'Get a mail',
      description:
        'Returns what became of a mail, by its id or its `Message-ID`. Only owners, admins and service accounts can read it.',
      scope,
      query: noQuerySchema,
      success: {status: 200, schema: mailSchema, tagged: false},
      errors: ['forbidden', 'not_found'],
      handle: async ({call, params}) => ({
        status: 200,
        body: JSON.stringify(await outbox.findMail(call, params['mail'] ?? '')),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: `${single}/bounce`,
      operation: 'markMailAsBounced',
      tag,
      summary: 'Mark a mail as bounced',
      description:
        'Says that a sent mail came back. Its bounce goes to the mailbox of `MAIL_FROM`, which the service does not read; a few lines can pass on what your mail provider reports, by the id of the mail or its `Message-ID`. The state becomes `failed`, with an event `invite.mail_failed` or `member.mail_failed`. A mail that is neither `sent` nor `uncertain` stays as it is. For a mail to an owner, an admin is refused: only owners and service accounts mark it.',
      scope,
      query: noQuerySchema,
      body: bounceSchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found'],
      handle: async ({call, params, body}) =>
        presentAnswer(await outbox.recordBounce(call, params['mail'] ?? '', body.detail)),
    }),
  ];
}
