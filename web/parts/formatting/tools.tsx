import {useEffect, useState} from 'react';
import {isInputMethodKey} from '../keys.ts';
import {applyEdit, readTyped} from './apply-edit.ts';
import {breakLine, type Edit, insertLink, pasteLink, toggleLines, toggleStyle, type Typed} from './edits.ts';
import {MentionPicker} from './mention-picker.tsx';
import {findMentionQuery, insertMention, type MentionQuery} from './mention-query.ts';

const letters: Readonly<Record<string, (typed: Typed) => Edit>> = {
  b: (typed) => toggleStyle(typed, 'bold'),
  i: (typed) => toggleStyle(typed, 'italic'),
  k: insertLink,
};

/** Keys with Shift, by their position: a digit with Shift is another character on each keyboard. */
const digits: Readonly<Record<string, (typed: Typed) => Edit>> = {
  Digit7: (typed) => toggleLines(typed, 'numbers'),
  Digit8: (typed) => toggleLines(typed, 'bullets'),
  Digit9: (typed) => toggleLines(typed, 'quote'),
};

/** On these, Ctrl with a letter moves the caret. */
const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

function findEdit(event: KeyboardEvent, typed: Typed): Edit | undefined {
  const {key, code, shiftKey, altKey} = event;
  const [hasControl, hasOther] = isApple ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (altKey || hasOther || isInputMethodKey(event)) return undefined;
  if (hasControl) return (shiftKey ? digits[code] : letters[key.toLowerCase()])?.(typed);
  return key === 'Enter' && !shiftKey ? breakLine(typed) : undefined;
}

interface FormattingToolsProps {
  readonly area: HTMLTextAreaElement;
  /** The slug of the team whose people are suggested first. */
  readonly team: string | undefined;
}

/** The keys of a field for Markdown, and its suggestions. They are loaded when a person first writes in one. */
export function FormattingTools({area, team}: FormattingToolsProps) {
  const {asked, close} = useMentionQuery(area);
  useFormattingKeys(area);
  if (asked === undefined) return null;
  return (
    <MentionPicker
      area={area}
      asked={asked}
      onClose={close}
      onPick={(chosen) => {
        close();
        applyEdit(area, insertMention(asked, chosen));
      }}
      team={team}
    />
  );
}

/** The text typed behind `@`, until a suggestion is taken, the list is closed, or the focus leaves. */
function useMentionQuery(area: HTMLTextAreaElement) {
  const [asked, setAsked] = useState<MentionQuery>();
  const [closedAt, setClosedAt] = useState<number>();
  useEffect(() => {
    const look = (): void => {
      const found = findMentionQuery(readTyped(area));
      setAsked(found);
      if (found === undefined) setClosedAt(undefined);
    };
    const leave = (): void => setAsked(undefined);
    area.addEventListener('input', look);
    area.addEventListener('click', look);
    area.addEventListener('blur', leave);
    return () => {
      area.removeEventListener('input', look);
      area.removeEventListener('click', look);
      area.removeEventListener('blur', leave);
    };
  }, [area]);
  const isClosed = asked === undefined || asked.from === closedAt;
  return {asked: isClosed ? undefined : asked, close: () => setClosedAt(asked?.from)};
}

function useFormattingKeys(area: HTMLTextAreaElement): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const edit = findEdit(event, readTyped(area));
      if (edit === undefined) return;
      event.preventDefault();
      // Elsewhere, Ctrl+K opens the commands.
      event.stopPropagation();
      applyEdit(area, edit);
    };
    const onPaste = (event: ClipboardEvent): void => {
      const edit = pasteLink(readTyped(area), event.clipboardData?.getData('text/plain') ?? '');
      if (edit === undefined) return;
      event.preventDefault();
      applyEdit(area, edit);
    };
    area.addEventListener('keydown', onKey);
    area.addEventListener('paste', onPaste);
    return () => {
      area.removeEventListener('keydown', onKey);
      area.removeEventListener('paste', onPaste);
    };
  }, [area]);
}
