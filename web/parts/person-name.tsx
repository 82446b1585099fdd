import {texts} from '../texts/texts.ts';
import {Initials} from './initials.tsx';

/** A member's name; a long one wraps instead of stretching its row. */
export function PersonName({
  name,
  isYou = false,
}: {
  readonly name: string;
  readonly isYou?: boolean | undefined;
}) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <Initials name={name} />
      <span className="min-w-0 font-medium">
        <bdi>{name}</bdi>
        {isYou && <span className="font-normal text-quiet"> ({texts.parts.you})</span>}
      </span>
    </span>
  );
}
