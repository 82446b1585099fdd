import type {Schema} from '../api/schema.ts';

export type Scope = NonNullable<Schema<'NewAccessToken'>['scopes']>[number];

/** Scopes in display order: more powerful scopes come last. */
export const scopes = [
  'standups:read',
  'standups:write',
  'standups:write_any',
  'comments:write',
  'teams:read',
  'teams:write',
  'teams:private',
  'members:read',
  'members:write',
  'events:read',
  'webhooks:manage',
  'workspace:manage',
  'tokens:manage',
] as const satisfies readonly Scope[];

/** Sets of scopes for common tasks. */
export const presets = {
  post: ['standups:read', 'standups:write'],
  read: ['standups:read', 'teams:read', 'members:read'],
  integrate: ['standups:read', 'teams:read', 'events:read', 'webhooks:manage'],
} as const satisfies Record<string, readonly Scope[]>;

export type Preset = keyof typeof presets;

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

export function findPreset(chosen: readonly Scope[]): Preset | undefined {
  return (Object.keys(presets) as Preset[]).find(
    (name) =>
      presets[name].length === chosen.length && presets[name].every((scope) => chosen.includes(scope)),
  );
}
