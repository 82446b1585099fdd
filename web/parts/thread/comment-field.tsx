import {type ReactNode, useEffect, useRef, useState} from 'react';
import type {Problem} from '../../api/problem.ts';
import {texts} from '../../texts/texts.ts';
import {Button} from '../button.tsx';
import {MarkdownArea} from '../markdown-area.tsx';
import {ProblemNote} from '../problem-note.tsx';

const isApple = /mac|iphone|ipad/i.test(navigator.platform);

interface CommentFieldProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly submit: string;
  readonly onSubmit: () => Promise<unknown>;
  readonly isPending: boolean;
  readonly problem: Problem | undefined;
  readonly isFocused: boolean;
  readonly onEscape?: () => void;
  /** Buttons beside the one that submits. */
  readonly children?: ReactNode;
}

/** A field for a comment, which Ctrl or Command with Enter sends. The text stays until it is sent. */
export function CommentField({
  label,
  text,
  onText,
  submit,
  onSubmit,
  isPending,
  problem,
  isFocused,
  onEscape,
  children,
}: CommentFieldProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isMissing, setMissing] = useState(false);
  const {comments: say} = texts.thread;
  const modifier = isApple ? '⌘' : `${texts.frame.control}+`;
  useEffect(() => {
    if (isFocused) form.current?.querySelector('textarea')?.focus();
  }, [isFocused]);

  function sendText(): void {
    setMissing(text.trim() === '');
    if (text.trim() !== '' && !isPending) void onSubmit();
  }

  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        sendText();
      }}
      ref={form}
    >
      <MarkdownArea
        error={isMissing ? say.missing : undefined}
        hint={say.hint({keys: `${modifier}Enter`})}
        isLabelHidden
        isPreview={false}
        label={label}
        onChange={(next) => {
          setMissing(false);
          onText(next);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onEscape?.();
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) sendText();
        }}
        placeholder={label}
        rows={2}
        value={text}
      />
      {problem !== undefined && <ProblemNote problem={problem} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button isPending={isPending} kind="first" size="small" type="submit">
          {submit}
        </Button>
        {children}
      </div>
    </form>
  );
}
