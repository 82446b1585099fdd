import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {lazy, Suspense, useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Icon} from '../parts/icon.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {formatMoment, formatRelative, formatTimeSince} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {type Token, tokenQuery} from './queries.ts';
import {isScope} from './scopes.ts';
import type {TokensSearch} from './search.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('../parts/confirm-dialog.tsx')).ConfirmDialog,
}));

const factRow =
  'grid grid-cols-[minmax(120px,160px)_minmax(0,1fr)] gap-x-3 gap-y-0.5 py-0.5 max-sm:grid-cols-1';

const expiryWarningMs = 7 * 24 * 3_600_000;

interface TokenRowProps {
  readonly token: Token;
  readonly me: Schema<'Me'>;
  readonly isOpen: boolean;
  readonly search: TokensSearch;
}

export function TokenRow({token, me, isOpen, search}: TokenRowProps) {
  const t = texts.tokens;
  const {id, name, holder, scopes, client, expires_at: end, last_used_at: used} = token;
  const [isAsked, setAsked] = useState(false);
  const revoke = useAction(async () => {
    await send('delete', '/v1/tokens/{token}', {token: id});
    setAsked(false);
    toast({text: t.revoke.done({name})});
    await invalidate('access_token');
  });
  const isOwn = holder.id === me.principal.id;
  const {show} = search;
  return (
    <li
      aria-label={name}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-4 py-3 max-sm:grid-cols-1"
    >
      <div className="grid gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-semibold">
          <bdi>{name}</bdi>
          {!isOwn && (
            <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-normal text-quiet">
              <Icon name={holder.type === 'member' ? 'people' : 'device'} size={16} />
              <bdi>{holder.name}</bdi>
            </span>
          )}
          {client === 'cli' && <Badge>{t.cli}</Badge>}
          {Date.parse(end) - Date.now() < expiryWarningMs && <Badge tone="late">{t.expiresSoon}</Badge>}
        </p>
        <p>{scopes.map((scope) => (isScope(scope) ? t.scopes[scope].label : scope)).join(' · ')}</p>
        <p className="text-sm text-quiet">
          {t.expires({when: formatRelative(end)})} · {describeCreation(token, me)} ·{' '}
          <Link
            aria-expanded={isOpen}
            replace
            resetScroll={false}
            search={{...(show !== undefined && {show}), ...(!isOpen && {token: id})}}
            to="/tokens"
          >
            {isOpen ? t.close : t.open}
          </Link>
        </p>
      </div>
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1 max-sm:justify-between">
        <span className="text-sm text-quiet">
          {used === null ? t.unused : t.used} {used !== null && <Stamp instant={used} relative />}
        </span>
        <Button kind="danger" onPress={() => setAsked(true)} size="small">
          {t.revoke.open}
        </Button>
      </div>
      {isOpen && <OpenedToken id={id} />}
      {isAsked && (
        <Suspense>
          <ConfirmDialog
            confirm={t.revoke.confirm}
            isOpen
            isPending={revoke.isPending}
            onClose={() => setAsked(false)}
            onConfirm={() => revoke.run()}
            problem={revoke.problem}
            text={t.revoke.text}
            title={t.revoke.title({name})}
          />
        </Suspense>
      )}
    </li>
  );
}

function describeCreation({created_by: maker, created_at: at}: Token, me: Schema<'Me'>): string {
  const {byOperator, byYou, by} = texts.tokens;
  const when = formatTimeSince(at);
  if (maker === null) return byOperator({when});
  return maker.id === me.principal.id ? byYou({when}) : by({name: maker.name ?? maker.id, when});
}

function OpenedToken({id}: {readonly id: string}) {
  const t = texts.tokens;
  const {data, error, refetch} = useQuery(tokenQuery(id));
  if (data === undefined) {
    return (
      <div className="col-span-full grid gap-3 rounded-md bg-inset p-3">
        {error === null ? <Skeleton lines={3} /> : <ProblemNote onRetry={refetch} problem={error} />}
      </div>
    );
  }
  const {scopes, parent, expires_at: end, created_at: at, last_used_at: used} = data;
  return (
    <div className="col-span-full grid gap-3 rounded-md bg-inset p-3">
      <dl>
        {scopes.map((scope) => (
          <div className={factRow} key={scope}>
            <dt>
              <code className="font-mono text-xs/5">{scope}</code>
            </dt>
            <dd>{isScope(scope) ? t.scopes[scope].text : t.unknownScope}</dd>
          </div>
        ))}
      </dl>
      <dl>
        {(
          [
            [t.facts.id, id],
            [t.facts.made, formatMoment(at)],
            [t.facts.expires, formatMoment(end)],
            [t.facts.used, used === null ? t.unused : formatMoment(used)],
            ...(parent === null ? [] : [[t.facts.parent, parent] as const]),
          ] as const
        ).map(([label, value]) => (
          <div className={factRow} key={label}>
            <dt className="text-quiet">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
