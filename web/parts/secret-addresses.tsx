import {useQuery} from '@tanstack/react-query';
import {lazy, type ReactNode, Suspense, useState} from 'react';
import {invalidate, meQuery} from '../api/queries.ts';
import {readQuery} from '../api/read.ts';
import type {Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {formatTimeSince} from '../texts/format.ts';
import {Button} from './button.tsx';
import {copyText} from './copy-text.ts';
import {Icon, type IconName} from './icon.tsx';
import {ProblemNote} from './problem-note.tsx';
import {Skeleton} from './skeleton.tsx';
import {toast} from './toast.ts';
import {useAction} from './use-action.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('./confirm-dialog.tsx')).ConfirmDialog,
}));

/** The texts about one kind of address. */
export interface AddressTexts {
  readonly addresses: string;
  readonly make: string;
  readonly copyNow: string;
  readonly copy: string;
  readonly copied: string;
  readonly describe: (address: Schema<'AccessToken'>, used: string | undefined) => string;
  readonly revoke: string;
  readonly revoked: string;
  readonly sure: {
    readonly title: (address: {readonly name: string}) => string;
    readonly text: string;
    readonly confirm: string;
  };
}

interface SecretAddressesProps {
  readonly kind: 'calendar' | 'share_link';
  readonly icon: IconName;
  readonly say: AddressTexts;
  /** Creates an address, which is shown once. */
  readonly make: () => Promise<{readonly url: string}>;
  /** The fields of a new address, before the button that creates it. */
  readonly children?: ReactNode;
}

/** Lists the viewer's own secret addresses of a kind, and creates and revokes them. */
export function SecretAddresses({kind, icon, say, make, children}: SecretAddressesProps) {
  const {data: me} = useQuery(meQuery);
  const own = me?.principal.id;
  // Owners and admins could also list those of others.
  const listed = useQuery({
    ...readQuery('listTokens', '/v1/tokens', {kind, created_by: own ?? '', limit: 100}),
    enabled: own !== undefined,
  });
  const [url, setUrl] = useState<string>();
  const making = useAction(async () => {
    setUrl((await make()).url);
    await invalidate('access_token');
  });
  const {data, error, refetch} = listed;
  return (
    <div className="grid justify-items-start gap-3">
      {data === undefined && error === null && <Skeleton lines={2} />}
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {data !== undefined && data.data.length > 0 && (
        <ul aria-label={say.addresses} className="w-full divide-y divide-line rounded-lg border border-line">
          {data.data.map((address) => (
            <AddressRow address={address} icon={icon} key={address.id} say={say} />
          ))}
        </ul>
      )}
      {children}
      <Button icon={icon} isPending={making.isPending} onPress={() => void making.run()}>
        {say.make}
      </Button>
      {making.problem !== undefined && <ProblemNote problem={making.problem} />}
      {url !== undefined && (
        <div className="grid max-w-full justify-items-start gap-2 rounded-lg bg-inset p-4" role="status">
          <p>{say.copyNow}</p>
          <code className="font-mono text-xs/5 wrap-anywhere">{url}</code>
          <Button icon="copy" onPress={() => void copyText(url, say.copied)} size="small">
            {say.copy}
          </Button>
        </div>
      )}
    </div>
  );
}

interface AddressRowProps extends Pick<SecretAddressesProps, 'icon' | 'say'> {
  readonly address: Schema<'AccessToken'>;
}

function AddressRow({address, icon, say}: AddressRowProps) {
  const {id, name, last_used_at: usedAt} = address;
  const [isAsked, setAsked] = useState(false);
  const end = useAction(async () => {
    await send('delete', '/v1/tokens/{token}', {token: id});
    setAsked(false);
    toast({text: say.revoked});
    await invalidate('access_token');
  });
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3 [&>svg]:mt-0.5 [&>svg]:text-quiet">
      <Icon name={icon} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="text-xs text-quiet">
          {say.describe(address, usedAt === null ? undefined : formatTimeSince(usedAt))}
        </p>
      </div>
      <Button kind="danger" onPress={() => setAsked(true)} size="small">
        {say.revoke}
      </Button>
      {isAsked && (
        <Suspense>
          <ConfirmDialog
            confirm={say.sure.confirm}
            isOpen
            isPending={end.isPending}
            onClose={() => setAsked(false)}
            onConfirm={() => end.run()}
            problem={end.problem}
            text={say.sure.text}
            title={say.sure.title({name})}
          />
        </Suspense>
      )}
    </li>
  );
}
