import {newKey} from '../api/new-key.ts';
import {useQuery} from '@tanstack/react-query';
import {invalidate} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {CheckBox, CheckBoxGroup} from '../parts/check-box.tsx';
import {FormOverlay} from '../parts/form-overlay.tsx';
import {bindFields} from '../parts/form.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {mayUse} from '../parts/rights.ts';
import {Select} from '../parts/select.tsx';
import {TextField} from '../parts/text-field.tsx';
import {useAction} from '../parts/use-action.ts';
import {useDraft} from '../parts/use-draft.ts';
import {texts} from '../texts/texts.ts';
import {accountsQuery} from './queries.ts';
import {type Preset, findPreset, presets, type Scope, scopes} from './scopes.ts';

const days = ['1', '7', '30', '90', '180', '366'] as const;

interface TokenFields {
  readonly name: string;
  readonly holder: 'me' | 'account';
  readonly account: string;
  readonly scopes: readonly Scope[];
  readonly days: (typeof days)[number];
  /** Idempotency key, renewed with each change of the form: repeated requests create one token. */
  readonly key: string;
}

const first: Omit<TokenFields, 'key'> = {
  name: '',
  holder: 'me',
  account: '',
  scopes: presets.post,
  days: '90',
};

interface MakeTokenProps {
  readonly me: Schema<'Me'>;
  readonly isAdmin: boolean;
  readonly onClose: () => void;
  readonly onMade: (made: Schema<'CreatedAccessToken'>) => void;
}

/** Form that creates a token. It offers only scopes that the session has. */
export function MakeToken({me, isAdmin, onClose, onMade}: MakeTokenProps) {
  const t = texts.tokens.make;
  const [typed, setTyped, forget] = useDraft<TokenFields>('token', {...first, key: newKey()});
  const accounts = useQuery({...accountsQuery, enabled: isAdmin}).data?.data ?? [];
  const offered = scopes.filter((scope) => mayUse(me, scope));
  const chosen = typed.scopes.filter((scope) => offered.includes(scope));
  const body = {
    name: typed.name.trim(),
    scopes: chosen,
    expires_in: Number(typed.days) * 86_400,
    ...(isAdmin && typed.holder === 'account' && {service_account: typed.account.trim()}),
  };
  const {run, isPending, problem} = useAction(() => send('post', '/v1/tokens', {key: typed.key, body}));
  const set = (change: Partial<TokenFields>): void => setTyped({...typed, ...change, key: newKey()});
  const {field} = bindFields(typed, set);

  async function submit(): Promise<void> {
    const made = await run();
    if (made === undefined) return;
    forget();
    onMade(made);
    onClose();
    await invalidate('access_token');
  }

  const cancel = (): void => {
    forget();
    onClose();
  };
  const isReady =
    body.name !== '' && chosen.length > 0 && (typed.holder === 'me' || typed.account.trim() !== '');
  const preset = findPreset(chosen);
  const fitting = (Object.keys(presets) as Preset[]).filter((name) =>
    presets[name].every((scope) => offered.includes(scope)),
  );
  return (
    <FormOverlay
      isPending={isPending}
      isReady={isReady}
      onCancel={cancel}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      submit={t.submit}
      title={t.title}
      variant="sheet"
    >
      <TextField {...field('name')} autoFocus hint={t.nameHint} label={t.name} maxLength={80} />
      {isAdmin && (
        <RadioGroup
          {...field('holder')}
          label={t.holder}
          options={[
            {id: 'me', label: t.forMe, hint: t.forMeHint},
            {id: 'account', label: t.forAccount, hint: t.forAccountHint},
          ]}
        />
      )}
      {isAdmin && typed.holder === 'account' && (
        <TextField
          {...field('account', 'service_account')}
          hint={accounts.length === 0 ? t.accountNew : t.accountHint({names: listNames(accounts)})}
          label={t.account}
          maxLength={80}
        />
      )}
      <Select
        hint={t.presetHint}
        label={t.preset}
        onChange={(id) => id !== 'own' && set({scopes: presets[id]})}
        options={[
          ...fitting.map((id) => ({id, label: t.presets[id]})),
          ...(preset === undefined ? [{id: 'own' as const, label: t.presets.own}] : []),
        ]}
        value={preset ?? 'own'}
      />
      <CheckBoxGroup
        label={t.scopes}
        onChange={(value) => set({scopes: scopes.filter((scope) => value.includes(scope))})}
        value={[...chosen]}
      >
        {offered.map((scope) => (
          <CheckBox
            hint={texts.tokens.scopes[scope].text}
            key={scope}
            label={
              <>
                {texts.tokens.scopes[scope].label}{' '}
                <code className="font-mono text-xs/5 text-quiet">{scope}</code>
              </>
            }
            value={scope}
          />
        ))}
      </CheckBoxGroup>
      <Select
        {...field('days', 'expires_in')}
        hint={t.expiryHint}
        label={t.expiry}
        options={days.map((id) => ({id, label: t.days({days: Number(id)})}))}
      />
    </FormOverlay>
  );
}

function listNames(accounts: readonly {readonly name: string}[]): string {
  const most = 8;
  const names = accounts.slice(0, most).map(({name}) => name);
  return `${names.join(', ')}${accounts.length > most ? ' …' : ''}`;
}
