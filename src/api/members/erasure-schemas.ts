import {z} from 'zod';
import {erasedKinds, erasureStates} from '../../domain/members/erasure.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {id, instant} from '../http/shared-schemas.js';

const said: Readonly<Record<(typeof erasedKinds)[number], string>> = {
  team_places: 'Places in teams.',
  access_tokens:
    'Access tokens, sessions and sign-in links, theirs and those that they have made for others.',
  absences: 'Their absences.',
  blockers: 'Their blockers.',
  standups: 'Their standups.',
  traces: 'Their name in absences of others, earlier texts of what was removed before, and records of Slack.',
};

const countsOf = (description: string) =>
  z
    .object(
      Object.fromEntries(erasedKinds.map((kind) => [kind, z.int().min(0).meta({description: said[kind]})])),
    )
    .meta({description});

export const erasureSchema = z
  .object({
    id: id('erasure'),
    object: z.literal('erasure'),
    state: z.string().meta({
      description: `${erasureStates.map((state) => `\`${state}\``).join(', ')}; more may follow. \`failed\` is the last try: another follows by itself. \`done\` also says that the store's file on the disk was written anew without them.`,
    }),
    erased: countsOf('How many of each kind are gone.'),
    left: countsOf('How many of each kind are known to be still there; what others keep may bring more.'),
    created_at: instant,
    ended_at: instant.nullable(),
  })
  .meta({
    id: 'Erasure',
    description: `Everything of a person is erased, or was. It names neither them nor who asked for it; the event \`member.left\` says the latter. The last ${limits.erasures} of a workspace are kept, for ${lifetimes.erasure / 86_400} days. It changes too often for an \`ETag\`.`,
  });
