import type {ComponentProps, ReactNode} from 'react';
import {Focusable, Tooltip as AriaTooltip, TooltipTrigger} from 'react-aria-components';
import {Localized} from './localized.tsx';
import styles from './tooltip.module.css';

/** A hint on a focusable element such as a button or link. It must not be the only source of information. */
export function Tooltip({
  text,
  children,
}: {
  readonly text: ReactNode;
  readonly children: ComponentProps<typeof Focusable>['children'];
}) {
  return (
    <Localized>
      <TooltipTrigger closeDelay={100} delay={500}>
        <Focusable>{children}</Focusable>
        <AriaTooltip className={styles['tooltip'] ?? ''} offset={6}>
          {text}
        </AriaTooltip>
      </TooltipTrigger>
    </Localized>
  );
}
