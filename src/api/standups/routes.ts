import type {z} from 'zod';
import {createQuestionBatcher} from '../../domain/core/ask-together.js';
import type {ShownStandup} from '../../domain/standups/standup.js';
import type {StandupChange} from '../../service/standups/change-standup.js';
import type {Services} from '../../service/services.js';
import {limits} from '../../domain/core/limits.js';
import {createKnownPages} from '../http/known-pages.js';
import {
  presentAnswer,
  presentPage,
  presentResource,
  presentTaggedPage,
  presentNotModified,
} from '../http/present.js';
import {type HandlerInput, type HandlerResponse, type Route, defineRoute} from '../http/route.js';
import {keptText, noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';
import {
  newStandupSchema,
  shownStandupSchema,
  standupChangeSchema,
  standupRevisionSchema,
} from '../../domain/standups/standup.js';
import {createStandupFilter, standupQuerySchema} from './schemas.js';

type ListRequest = HandlerInput<z.output<typeof standupQuerySchema>>;

const collection = '/v1/standups';
const single = `${collection}/{standup}`;
const tag = 'Standups';

const listDescription = `Returns standups newest first: by date, then by the time they were posted. \`order=asc\` returns the oldest first. \
A request reads a bounded number of standups. With \`q\`, \`source\`, \`created_after\`, \`created_before\`, or team and author together, \
a page can have fewer rows than \`limit\`, or none, while \`has_more\` is true. Continue with \`next_cursor\` until \`has_more\` is false.`;

export function createStandupRoutes({standups}: Services): Route[] {
  const knownPages = createKnownPages();

  async function presentStandupPage(handled: ListRequest): Promise<HandlerResponse> {
    const {limit = limits.pageDefault, cursor} = handled.query;
    const query = {...createStandupFilter(handled.query), past: handled.cursors.open(cursor), limit};
    const known = knownPages.find(handled);
    const page = await standups.listShownStandups(handled.call, query, known?.mark);
    if (known !== undefined && page.unchanged === true) return known.reply;
    const tagged = presentTaggedPage(page.rows, page.next, handled);
    knownPages.keep(handled, page.mark, tagged);
    return presentNotModified(handled.ifNoneMatch, tagged.tag) ?? tagged.whole;
  }

  const answerTogether = createQuestionBatcher<ListRequest, HandlerResponse>(async (handled) => {
    const reply = await presentStandupPage(handled);
    return () => reply;
  }, setImmediate);

  return [
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'postStandup',
      tag,
      summary: 'Post a standup',
      description:
        'Stores an update for a team, shows it in the team’s Slack channel and sends it to every webhook. With `author`, the standup belongs to another member; only leads of the team, owners, admins and service accounts can do this. With `teams`, one standup is created for each of several teams in one step.',
      scope: 'standups:write',
      query: noQuerySchema,
      body: newStandupSchema,
      success: {status: 201, schema: shownStandupSchema, alsoList: true},
      errors: [
        'not_found',
        'insufficient_scope',
        'forbidden',
        'team_not_found',
        'date_not_allowed',
        'run_closed',
      ],
      handle: async ({call, body: {team = '', teams = team, ...content}}) => {
        const {entryPoint} = call;
        const source = entryPoint === 'system' ? 'api' : entryPoint;
        return presentAnswer(await standups.postStandup(call, {...content, team: teams, source}), collection);
      },
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listStandups',
      tag,
      summary: 'List standups',
      description: listDescription,
      scope: 'standups:read',
      query: standupQuerySchema,
      success: {status: 200, schema: shownStandupSchema, list: true, tagged: true},
      errors: ['team_not_found', 'invalid_cursor'],
      handle: (input) => {
        const {call, search, ifNoneMatch = ''} = input;
        // Simultaneous requests share an answer only if they have the same token, because an error shows the
        // scopes of the token. Tokens of other issuers have no id by which they could be compared.
        if (call.token.issuer !== undefined) return presentStandupPage(input);
        const name = `${call.workspace} ${call.token.id} ${search} ${ifNoneMatch}`;
        return answerTogether(name, input, call.deadline);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getStandup',
      tag,
      summary: 'Get a standup',
      scope: 'standups:read',
      query: noQuerySchema,
      success: {status: 200, schema: shownStandupSchema},
      errors: ['not_found'],
      handle: async (input) => {
        const standup = await standups.findShownStandup(input.call, input.params['standup'] ?? '');
        return presentResource(standup, input, computeShownTag(standup));
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${single}/revisions`,
      operation: 'listStandupRevisions',
      tag,
      summary: 'List the earlier versions of a standup',
      description:
        'Returns the text before each change, newest first. The current text is not included. Earlier versions are deleted with the standup.',
      scope: 'standups:read',
      query: pageQuerySchema,
      success: {status: 200, schema: standupRevisionSchema, list: true},
      errors: ['not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor} = input.query;
        const page = {past: input.cursors.open(cursor), limit};
        const id = input.params['standup'] ?? '';
        const {rows, next} = await standups.listRevisions(input.call, id, page);
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: single,
      operation: 'editStandup',
      tag,
      summary: 'Edit a standup',
      description:
        'The body is a JSON merge patch. A change without effect creates no revision and no event.',
      scope: 'standups:write',
      query: noQuerySchema,
      body: standupChangeSchema,
      success: {status: 200, schema: shownStandupSchema},
      errors: ['forbidden', 'not_found', 'precondition_failed', 'date_not_allowed', 'run_closed'],
      handle: async ({call, params, body, expected}) =>
        presentAnswer(
          await standups.editStandup(call, params['standup'] ?? '', createStandupChange(body), expected),
        ),
    }),
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'deleteStandup',
      tag,
      summary: 'Delete a standup',
      description: `The standup is removed from lists and from Slack at once. Its events are ${keptText}.`,
      scope: 'standups:write',
      query: noQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, expected}) =>
        presentAnswer(await standups.deleteStandup(call, params['standup'] ?? '', expected)),
    }),
  ];
}

function createStandupChange({blockers, ...change}: z.infer<typeof standupChangeSchema>): StandupChange {
  return blockers === undefined ? change : {...change, blockers: blockers ?? ''};
}

/** Returns the Slack message and the thread of a standup for its entity tag, as no revision contains them. */
function computeShownTag({slack, thread}: ShownStandup): string | undefined {
  const isQuiet = thread.comments === 0 && thread.reactions.length === 0;
  if (slack === null && isQuiet) return undefined;
  const answers = isQuiet ? '' : JSON.stringify(thread);
  return `${slack === null ? '' : describeSlackMessage(slack)}${answers}`;
}

function describeSlackMessage(slack: NonNullable<ShownStandup['slack']>): string {
  const {message_ts: message, permalink, problem} = slack;
  return `${(message ?? '').replaceAll(/\W/g, '_')}${permalink === null ? '' : '_p'}${problem === null ? '' : `_${problem}`}`;
}
