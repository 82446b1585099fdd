import {z} from 'zod';
import {lifetimes, limits} from '../core/limits.js';
import {id, type Infer, instant, open} from '../core/schemas.js';
import {toInstant} from '../core/dates.js';
import {composeId, type Id, type IdSuffix} from '../core/ids.js';

/** The kinds of data that an erasure removes. `traces`: a name in other data, and earlier texts. */
export const erasedKinds = [
  'team_places',
  'access_tokens',
  'absences',
  'blockers',
  'comments',
  'reactions',
  'standups',
  'traces',
] as const;

export type ErasedKind = (typeof erasedKinds)[number];
/** The states of an erasure. `failed`: the last attempt failed, and another follows automatically. */
const erasureStates = ['queued', 'running', 'failed', 'done'] as const;

export type ErasureState = (typeof erasureStates)[number];

const descriptions: Readonly<Record<ErasedKind, string>> = {
  team_places: 'Memberships in teams.',
  access_tokens:
    'Access tokens, sessions, sign-in links and passkeys of the member, and tokens they created for others.',
  absences: 'Their absences.',
  blockers: 'Their blockers.',
  comments: 'Their comments.',
  reactions: 'Their reactions to standups.',
  standups: 'Their standups.',
  traces:
    'Their name in absences of others, earlier texts of resources deleted before, and records of Slack.',
};

const countsOf = (description: string) =>
  z
    .object(
      Object.fromEntries(
        erasedKinds.map((kind) => [kind, z.int().min(0).meta({description: descriptions[kind]})]),
      ) as unknown as Record<ErasedKind, z.ZodInt>,
    )
    .meta({description});

export const erasureSchema = z
  .object({
    id: id('erasure'),
    object: z.literal('erasure'),
    state: open<ErasureState>({
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

/** The erasure of everything about a person. It contains neither the person nor the one who requested it. */
export type Erasure = Infer<typeof erasureSchema>;

export type ErasedCounts = Erasure['erased'];

export interface ErasureRecord {
  readonly suffix: IdSuffix<'erasure'>;
  /** The start of the erasure (ms). */
  readonly at: number;
  readonly state: ErasureState;
  readonly erased: ErasedCounts;
  /** The id suffix of the member, until everything is erased. */
  readonly member: IdSuffix<'member'> | undefined;
  /** The end of the erasure (ms). */
  readonly endedAt: number | undefined;
}

export const nothingErased: ErasedCounts = {
  team_places: 0,
  access_tokens: 0,
  absences: 0,
  blockers: 0,
  comments: 0,
  reactions: 0,
  standups: 0,
  traces: 0,
};

export function createErasureId(suffix: IdSuffix<'erasure'>, at: number): Id<'erasure'> {
  return composeId('erasure', at, suffix);
}

export function presentErasure(record: ErasureRecord, left: ErasedCounts): Erasure {
  const {suffix, at, state, erased, endedAt} = record;
  return {
    id: createErasureId(suffix, at),
    object: 'erasure',
    state,
    erased,
    left,
    created_at: toInstant(at),
    ended_at: endedAt === undefined ? null : toInstant(endedAt),
  };
}
