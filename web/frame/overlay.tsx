import {type ReactNode, useEffect, useId, useRef} from 'react';
import {IconButton} from '../parts/icon-button.tsx';
import {words} from '../words/words.ts';
import styles from './overlay.module.css';

interface OverlayProps {
  readonly title: string;
  readonly place: 'middle' | 'side';
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog; the browser keeps the focus inside and restores it afterwards. */
export function Overlay({title, place, onClose, children}: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, []);
  return (
    <dialog ref={dialog} className={styles[place]} aria-labelledby={id} onClose={onClose} closedby="any">
      <div className={styles['inside']}>
        <div className={styles['head']}>
          <h2 id={id}>{title}</h2>
          <IconButton icon="cross" label={words.frame.close} onPress={() => dialog.current?.close()} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
