import {type KeyboardEvent, useRef, useState} from 'react';
import {Button} from '../parts/button.tsx';
import {TextArea} from '../parts/text-area.tsx';
import {texts} from '../texts/texts.ts';
import {useFirstFocus} from './use-first-focus.ts';
import {useDraft} from '../parts/use-draft.ts';

/** The service's maximum length of a blocker's text, in characters. */
export const longestText = 1_000;

export function EditText({
  blocker,
  onText,
  onEnd,
}: {
  readonly blocker: {readonly id: string; readonly text: string};
  readonly onText: (text: string) => Promise<boolean>;
  readonly onEnd: () => void;
}) {
  const t = texts.blockers;
  const [text, setText, drop] = useDraft(`blocker:${blocker.id}`, blocker.text);
  const form = useRef<HTMLFormElement>(null);
  useFirstFocus(form);
  const [isPending, setPending] = useState(false);
  const [isMissing, setMissing] = useState(false);

  async function save(): Promise<void> {
    setMissing(text.trim() === '');
    if (text.trim() === '') return;
    setPending(true);
    const isTaken = text === blocker.text || (await onText(text));
    setPending(false);
    if (isTaken) stopEditing();
  }

  function stopEditing(): void {
    drop();
    onEnd();
  }

  function handleKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') stopEditing();
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void save();
  }

  return (
    <form
      ref={form}
      className="grid gap-3.5"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextArea
        error={isMissing ? t.missing : undefined}
        label={t.edit.text}
        limit={longestText}
        onChange={setText}
        onKeyDown={handleKey}
        value={text}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button isPending={isPending} kind="first" size="small" type="submit">
          {t.edit.save}
        </Button>
        <Button kind="quiet" onPress={stopEditing} size="small">
          {t.edit.cancel}
        </Button>
      </div>
    </form>
  );
}
