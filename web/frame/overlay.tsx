import {type ReactNode, useEffect, useId, useRef} from 'react';
import {IconButton} from '../parts/icon-button.tsx';
import {texts} from '../texts/texts.ts';

interface FrameOverlayProps {
  readonly title: string;
  readonly placement: keyof typeof placements;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const placements = {
  middle:
    'mx-auto mt-[12vh] max-h-[min(640px,calc(100dvh-32px))] w-[min(560px,calc(100vw-32px))] rounded-xl border',
  side: 'ms-auto h-dvh max-h-none w-[min(480px,100vw)] max-w-screen border-s',
} as const;

/** A modal dialog. The browser keeps the focus inside, and restores it when the dialog closes. */
export function Overlay({title, placement, onClose, children}: FrameOverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`border-line bg-card text-ink shadow-pop backdrop:bg-[rgb(0_0_0/45%)] ${placements[placement]}`}
      aria-labelledby={id}
      onClose={onClose}
      closedby="any"
    >
      <div className="flex flex-col gap-3 p-4">
        <div className="flex items-center justify-between gap-2">
          <h2 id={id}>{title}</h2>
          <IconButton icon="cross" label={texts.frame.close} onPress={() => dialog.current?.close()} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
