import {useEffect} from 'react';
import {isInputMethodKey} from '../keys.ts';
import {applyEdit, readTyped} from './apply-edit.ts';
import {breakLine, type Edit, insertLink, pasteLink, toggleLines, toggleStyle, type Typed} from './edits.ts';

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

/** The keys of a field for Markdown. They are loaded when a person first writes in one. */
export function FormattingTools({area}: {readonly area: HTMLTextAreaElement}) {
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
  return null;
}
