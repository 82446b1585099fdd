import type {ReactNode} from 'react';
import {Dialog as AriaDialog, Heading, Modal, ModalOverlay} from 'react-aria-components';
import {texts} from '../texts/texts.ts';
import {IconButton} from './icon-button.tsx';
import {Localized} from './localized.tsx';
import styles from './overlay.module.css';

export interface OverlayProps {
  readonly title: ReactNode;
  readonly isOpen: boolean;
  /** Called on Escape, on a press outside, or by the close button. The caller then closes the overlay. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode | undefined;
  readonly role?: 'dialog' | 'alertdialog' | undefined;
  /** Only the buttons inside the overlay close it; Escape and presses outside do not. */
  readonly isFirm?: boolean | undefined;
}

/** A modal overlay over the page; `Dialog` and `Sheet` choose its position. */
export function Overlay({
  title,
  isOpen,
  onClose,
  children,
  footer,
  role = 'dialog',
  isFirm = false,
  variant,
  size,
}: OverlayProps & {readonly variant: 'dialog' | 'sheet'; readonly size?: 'wide' | undefined}) {
  return (
    <Localized>
      <ModalOverlay
        className={`${styles['veil']} ${styles[`${variant}-overlay`]}`}
        isDismissable={!isFirm}
        isKeyboardDismissDisabled={isFirm}
        isOpen={isOpen}
        onOpenChange={(open) => open || onClose()}
      >
        <Modal className={`${styles['panel']} ${styles[`${variant}-panel`]}`} data-size={size}>
          <AriaDialog className={styles['content'] ?? ''} role={role}>
            <header className={styles['head']}>
              <Heading className={styles['title'] ?? ''} level={2} slot="title">
                {title}
              </Heading>
              <IconButton icon="cross" label={texts.parts.close} onPress={onClose} />
            </header>
            <div className={styles['body']}>{children}</div>
            {footer !== undefined && <footer className={styles['foot']}>{footer}</footer>}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </Localized>
  );
}
