import {useState} from 'react';
import type {Member} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ConfirmFirst} from '../parts/confirm-first.tsx';
import {Dialog} from '../parts/dialog.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';

/** Shows a new sign-in link once, so that the person who created it can pass it on. */
export function LinkDialog({member, onClose}: {readonly member: Member; readonly onClose: () => void}) {
  const t = texts.members.link;
  const {id, name} = member;
  const [url, setUrl] = useState<string>();
  const [isCopied, setCopied] = useState(false);
  const make = useAction(async () =>
    setUrl((await send('post', '/v1/sign-in-links', {body: {member: id}})).url),
  );
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(url ?? '');
    setCopied(true);
  };
  return (
    <Dialog isOpen onClose={onClose} title={t.title({name})}>
      <div className="grid justify-items-start gap-3">
        <p>{t.text}</p>
        {url === undefined ? (
          <ConfirmFirst scope="tokens:manage">
            <Button isPending={make.isPending} kind="first" onPress={() => void make.run()}>
              {t.make}
            </Button>
            {make.problem !== undefined && <ProblemNote problem={make.problem} />}
          </ConfirmFirst>
        ) : (
          <>
            <code aria-label={t.label} className="rounded-md bg-inset p-2 font-mono text-xs/5" role="group">
              {url}
            </code>
            <Button icon="copy" onPress={() => void copy()}>
              {isCopied ? texts.fields.copied : t.copy}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}
