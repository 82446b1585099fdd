import {type ReactNode, useEffect, useId, useRef} from 'react';
import {IconButton} from '../parts/icon-button.tsx';
import {texts} from '../texts/texts.ts';
import styles from './overlay.module.css';

interface FrameOverlayProps {
  readonly title: string;
  readonly placement: 'middle' | 'side';
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A modal dialog. The browser keeps the focus inside, and restores the earlier focus when the dialog closes.
 */
export function Overlay({title, placement, onClose, children}: FrameOverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, []);
  return (
    <dialog ref={dialog} className={styles[placement]} aria-labelledby={id} onClose={onClose} closedby="any">
      <div className={styles['inside']}>
        <div className={styles['head']}>
          <h2 id={id}>{title}</h2>
          <IconButton icon="cross" label={texts.frame.close} onPress={() => dialog.current?.close()} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
