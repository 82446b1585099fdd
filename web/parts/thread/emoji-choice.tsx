import {type RefObject, useState} from 'react';
import {texts} from '../../texts/texts.ts';
import {Button} from '../button.tsx';
import {Form} from '../form.tsx';
import {Popover} from '../popover.tsx';
import {TextField} from '../text-field.tsx';
import {quickEmoji, readTypedEmoji} from './reactions.ts';

interface EmojiChoiceProps {
  readonly triggerRef: RefObject<Element | null>;
  readonly onChoose: (emoji: string) => void;
  readonly onClose: () => void;
}

/** Offers some emoji, and a field for any other one. */
export function EmojiChoice({triggerRef, onChoose, onClose}: EmojiChoiceProps) {
  const {choice} = texts.thread;
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);

  function choose(emoji: string): void {
    onChoose(emoji);
    onClose();
  }

  function chooseTyped(): void {
    const emoji = readTypedEmoji(typed);
    if (emoji === undefined) setWrong(true);
    else choose(emoji);
  }

  return (
    <Popover isOpen label={choice.label} onClose={onClose} placement="bottom start" triggerRef={triggerRef}>
      <div className="mb-3 flex flex-wrap gap-1">
        {quickEmoji.map((emoji) => (
          <button
            aria-label={choice.add({emoji})}
            autoFocus={emoji === quickEmoji[0]}
            className="size-10 cursor-pointer rounded-md text-xl hover:bg-ink/7 pointer-coarse:size-11"
            key={emoji}
            onClick={() => choose(emoji)}
            type="button"
          >
            {emoji}
          </button>
        ))}
      </div>
      <Form onSubmit={chooseTyped}>
        <TextField
          autoComplete="off"
          error={isWrong ? choice.wrong : undefined}
          hint={choice.hint}
          label={choice.other}
          onChange={(text) => {
            setTyped(text);
            setWrong(false);
          }}
          value={typed}
        />
        <Button size="small" type="submit">
          {choice.react}
        </Button>
      </Form>
    </Popover>
  );
}
