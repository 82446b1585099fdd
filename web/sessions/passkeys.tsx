import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {invalidate} from '../api/queries.ts';
import {readQuery} from '../api/read.ts';
import type {Passkey} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {FormOverlay} from '../parts/form-overlay.tsx';
import {Icon} from '../parts/icon.tsx';
import {AddPasskey} from '../parts/passkeys/add-passkey.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TextField} from '../parts/text-field.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {formatTimeSince} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';

const passkeysQuery = readQuery('listPasskeys', '/v1/passkeys', {limit: 100});

export function Passkeys() {
  const t = texts.passkeys;
  const {data, error, refetch} = useQuery(passkeysQuery);
  return (
    <section className="mb-8 flex flex-col items-start gap-2">
      <h2>{t.title}</h2>
      <p className="text-xs text-quiet">{t.text}</p>
      {data === undefined && error === null && <Skeleton lines={2} />}
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {data?.data.length === 0 && <p>{t.none}</p>}
      {data !== undefined && data.data.length > 0 && (
        <ul className="w-full divide-y divide-line rounded-lg border border-line bg-card">
          {data.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <AddPasskey />
    </section>
  );
}

function PasskeyRow({passkey}: {readonly passkey: Passkey}) {
  const t = texts.passkeys;
  const {id, name, created_at: madeAt, last_used_at: usedAt} = passkey;
  const [opened, setOpened] = useState<'rename' | 'remove'>();
  const close = (): void => setOpened(undefined);
  const remove = useAction(async () => {
    await send('delete', '/v1/passkeys/{passkey}', {passkey: id});
    close();
    toast({text: t.removed({name})});
    await invalidate('passkey');
  });
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3 [&>svg]:mt-0.5 [&>svg]:text-quiet">
      <Icon name="key" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="text-xs text-quiet">
          {t.addedAt({when: formatTimeSince(madeAt)})}
          {' · '}
          {usedAt === null ? t.notUsed : t.used({when: formatTimeSince(usedAt)})}
        </p>
      </div>
      <Button aria-label={t.renameOf({name})} onPress={() => setOpened('rename')} size="small">
        {t.rename}
      </Button>
      <Button aria-label={t.removeOf({name})} onPress={() => setOpened('remove')} size="small">
        {t.remove}
      </Button>
      {opened === 'rename' && <RenameDialog id={id} onClose={close} />}
      <ConfirmDialog
        confirm={t.remove}
        isOpen={opened === 'remove'}
        isPending={remove.isPending}
        onClose={close}
        onConfirm={() => void remove.run()}
        problem={remove.problem}
        text={t.removeText}
        title={t.removeOf({name})}
      />
    </li>
  );
}

/** Renames a passkey, whose name it reads when it opens. */
function RenameDialog({id, onClose}: {readonly id: string; readonly onClose: () => void}) {
  const t = texts.passkeys;
  const {data: passkey, error} = useQuery(readQuery('getPasskey', '/v1/passkeys/{passkey}', {passkey: id}));
  const [typed, setTyped] = useState<string>();
  const name = typed ?? passkey?.name ?? '';
  const {run, isPending, problem} = useAction(async () => {
    await send('patch', '/v1/passkeys/{passkey}', {passkey: id, body: {name}, revision: passkey?.revision});
    onClose();
    toast({text: t.renamed});
    await invalidate('passkey');
  });
  return (
    <FormOverlay
      isPending={isPending}
      isReady={passkey !== undefined && name.trim() !== ''}
      onClose={onClose}
      onSubmit={() => void run()}
      problem={problem}
      submit={t.rename}
      title={passkey === undefined ? t.rename : t.renameOf({name: passkey.name})}
      variant="dialog"
    >
      {error !== null && <ProblemNote problem={error} />}
      <TextField
        autoComplete="off"
        autoFocus
        label={t.name}
        maxLength={80}
        name="name"
        onChange={setTyped}
        value={name}
      />
    </FormOverlay>
  );
}
