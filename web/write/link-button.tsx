import type {ReactNode} from 'react';

/** A button that looks like a link within a line of text, or like a small one below a field. */
export function LinkButton({
  isSpaced = false,
  onClick,
  children,
}: {
  readonly isSpaced?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      className={`min-h-6 cursor-pointer py-0.5 leading-5 text-accent underline underline-offset-2 pointer-coarse:min-h-11 ${isSpaced ? 'mt-1 text-xs/5' : ''}`}
      onClick={onClick}
      type="button"
    >
      {children}
    </button>
  );
}
