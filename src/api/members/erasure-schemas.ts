import {z} from 'zod';
import {erasedKinds, erasureStates} from '../../domain/members/erasure.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {id, instant} from '../../domain/core/schemas.js';

const descriptions: Readonly<Record<(typeof erasedKinds)[number], string>> = {
  team_places: 'Memberships in teams.',
  access_tokens:
    'Access tokens, sessions and sign-in links of the member, and those they created for others.',
  absences: 'Their absences.',
  blockers: 'Their blockers.',
  standups: 'Their standups.',
  traces:
    'Their name in absences of others, earlier texts of resources deleted before, and records of Slack.',
};

const countsOf = (description: string) =>
  z
    .object(
      Object.fromEntries(
        erasedKinds.map((kind) => [kind, z.int().min(0).meta({description: descriptions[kind]})]),
      ),
    )
    .meta({description});

export const erasureSchema = z
  .object({
    id: id('erasure'),
    object: z.literal('erasure'),
    state: z.string().meta({
      description: `The state: ${erasureStates.map((state) => `\`${state}\``).join(', ')}. More values may be added. \`failed\` refers to the last try; another follows automatically. \`done\` includes that the store's file on disk was rewritten without the data.`,
    }),
    erased: countsOf('The number of deleted resources of each kind.'),
    left: countsOf('The known number of remaining resources of each kind. Resources of others can add more.'),
    created_at: instant,
    ended_at: instant.nullable(),
  })
  .meta({
    id: 'Erasure',
    description: `The erasure of all data of a member. It names neither the member nor the caller; the event \`member.left\` has the caller. The last ${limits.erasures} of a workspace are kept, for ${lifetimes.erasure / 86_400} days. It changes too often for an \`ETag\`.`,
  });
