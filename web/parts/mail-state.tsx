import {findText, texts} from '../texts/texts.ts';

const tones: Readonly<Record<string, string>> = {failed: 'missed', uncertain: 'late'};

export function nameMailState(state: string): string {
  return findText(texts.mail.states, state) ?? state;
}

/** Says what became of a mail. A mail that did not arrive, or may not have, has a colour. */
export function MailState({state}: {readonly state: string}) {
  const tone = tones[state];
  return (
    <span
      className={tone === undefined ? undefined : 'font-semibold'}
      {...(tone !== undefined && {style: {color: `var(--color-${tone})`}})}
    >
      {nameMailState(state)}
    </span>
  );
}
