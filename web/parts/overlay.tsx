import type {ReactNode} from 'react';
import {Dialog as AriaDialog, Heading, Modal, ModalOverlay} from 'react-aria-components';
import {texts} from '../texts/texts.ts';
import {IconButton} from './icon-button.tsx';
import {Localized} from './localized.tsx';

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

const moves = 'transition duration-[160ms] motion-reduce:transition-none';
const dialogClass =
  'max-h-full w-full overflow-auto rounded-xl border data-entering:scale-98 data-entering:opacity-0';
const sheetClass =
  'h-full w-full max-w-140 overflow-hidden border-s data-entering:translate-x-8 data-entering:opacity-0 data-exiting:translate-x-8 data-exiting:opacity-0 max-sm:border-s-0';

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
  const isSheet = variant === 'sheet';
  return (
    <Localized>
      <ModalOverlay
        className={`fixed inset-0 z-20 grid h-[var(--visual-viewport-height,100dvh)] bg-[light-dark(rgb(25_32_28/40%),rgb(0_0_0/60%))] ${moves} data-entering:opacity-0 data-exiting:opacity-0 ${isSheet ? 'justify-items-end' : 'place-items-center p-4'}`}
        isDismissable={!isFirm}
        isKeyboardDismissDisabled={isFirm}
        isOpen={isOpen}
        onOpenChange={(open) => open || onClose()}
      >
        <Modal
          className={`min-w-0 border-line bg-card text-ink shadow-pop outline-none ${moves} ${isSheet ? sheetClass : `${dialogClass} ${size === 'wide' ? 'max-w-narrow' : 'max-w-120'}`}`}
        >
          <AriaDialog className={`flex min-h-0 flex-col outline-none ${isSheet ? 'h-full' : ''}`} role={role}>
            <header
              className={`flex flex-none items-start gap-2 py-3 ps-5 pe-3 max-sm:ps-4 max-sm:pe-2 ${isSheet ? 'border-b border-line' : ''}`}
            >
              <Heading
                className="min-w-0 flex-1 py-[calc((var(--spacing-row)-24px)/2)]"
                level={2}
                slot="title"
              >
                {title}
              </Heading>
              <IconButton icon="cross" label={texts.parts.close} onPress={onClose} />
            </header>
            <div
              className={`min-h-0 flex-1 overflow-auto overscroll-contain px-5 pb-5 max-sm:px-4 ${isSheet ? 'pt-5' : 'pt-1'}`}
            >
              {children}
            </div>
            {footer !== undefined && (
              <footer className="flex flex-none flex-wrap items-center justify-end gap-2 border-t border-line bg-card px-5 pt-3 pb-[calc(12px+env(safe-area-inset-bottom,0px))] max-sm:px-4">
                {footer}
              </footer>
            )}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </Localized>
  );
}
