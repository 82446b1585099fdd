import type {Kit} from '../door/kit.js';
import {findProfile, nameOf} from '../door/profiles.js';
import {type Place, soon} from '../door/visitors.js';
import type {Words} from '../../words/words.js';
import {givenNames, type SlackNames} from './names.js';
import {usersIn} from './plain-of.js';

/**
 * The maximum number of people looked up for one text, and of those looked up in Slack, where the person
 * waits for each.
 */
const mostMembers = 50;
const mostProfiles = 5;

/**
 * The names of the people that blocks, or markup, mention: of members as stored here, of others from their
 * profile if Slack answers in time. Without mentions nothing is looked up. Errors: those of `findPlace` and
 * of the store.
 */
export async function findNames(
  {services: {people}, patience}: Pick<Kit, 'services' | 'patience'>,
  findPlace: () => Promise<Place>,
  given: unknown,
  {
    words,
    deadline,
    domain,
    inSlack = true,
  }: {
    readonly words: Words;
    readonly deadline: number;
    readonly domain?: string | undefined;
    /** True when Slack may be asked too. */
    readonly inSlack?: boolean;
  },
): Promise<SlackNames> {
  const ids = usersIn(given, mostMembers);
  if (ids.length === 0) return givenNames(words, {domain});
  const place = await findPlace();
  const users = new Map<string, string>();
  const known = await Promise.all(
    ids.map((id) => people.findSlackMember({workspace: place.workspace, deadline}, id)),
  );
  for (const [i, member] of known.entries()) if (member !== undefined) users.set(ids[i] ?? '', member.name);
  const strangers = inSlack ? ids.filter((id) => !users.has(id)).slice(0, mostProfiles) : [];
  const profiles = await Promise.all(
    strangers.map((id) => soon(findProfile(place.client, id), patience.profile)),
  );
  for (const [i, profile] of profiles.entries()) {
    const name = profile && nameOf(profile, {id: '', name: ''});
    if (name) users.set(strangers[i] ?? '', name);
  }
  return givenNames(words, {users, domain});
}
