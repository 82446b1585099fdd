import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import {privately} from '../blocks/blocks.js';
import {link, paragraph, span} from '../blocks/shapes.js';
import type {Kit, Visit} from '../door/kit.js';
import {explain} from '../door/refusals.js';
import {slackKey} from '../door/visitors.js';
import type {Reader} from '../blocks/reader.js';

/** `/standup web`: a link that signs the person in to the dashboard. */
export async function makeLink(
  {visitors, services, log, drawReference}: Pick<Kit, 'visitors' | 'services' | 'log' | 'drawReference'>,
  {origin, user, reader, commandKey, triggerId}: Visit,
): Promise<RespondArguments> {
  try {
    const deadline = visitors.answerBy();
    const place = await visitors.findPlace(origin, deadline);
    const call = await visitors.admitLookedAt(place, user, deadline);
    const idempotency = slackKey(call, 'command', commandKey ?? triggerId, 'web');
    const {body} = await services.sessions.createSignInLink({...call, idempotency}, {});
    const {url} = parseWire(body);
    return presentLink(reader, url);
  } catch (error) {
    return privately(explain(error, log, drawReference(), reader.words).sentence);
  }
}

function presentLink({words: {web}}: Reader, url: string): RespondArguments {
  // Plain http is allowed on loopback only.
  const told = url.startsWith('https:') ? web.once : `${web.once} ${web.here}`;
  return {
    response_type: 'ephemeral',
    text: `${web.open}: ${url}\n${told}`,
    blocks: [paragraph([link(url, web.open), span(`\n${told}`)])],
  };
}
