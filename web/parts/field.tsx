import type {ComponentType, ReactNode} from 'react';
import {FieldError, Label, Text} from 'react-aria-components';
import {texts} from '../texts/texts.ts';
import styles from './field.module.css';

/**
 * Props of every field. `error` comes from the caller; errors of the surrounding `Form` appear without it.
 */
export interface FieldTexts {
  readonly label: string;
  readonly hint?: ReactNode | undefined;
  readonly error?: string | undefined;
  /** Shows the label only to screen readers, for a field under a heading with the same text. */
  readonly isLabelHidden?: boolean | undefined;
  readonly isOptional?: boolean | undefined;
}

export function FieldLabel({
  label,
  isLabelHidden = false,
  isOptional = false,
  element: Element = Label,
}: FieldTexts & {readonly element?: ComponentType<{className?: string; children?: ReactNode}>}) {
  return (
    <Element className={styles[isLabelHidden ? 'hidden' : 'label'] ?? ''}>
      {label}
      {isOptional && <span className={styles['optional']}> {texts.parts.optional}</span>}
    </Element>
  );
}

export function FieldNotes({
  hint,
  error,
  children,
}: Pick<FieldTexts, 'hint' | 'error'> & {readonly children?: ReactNode | undefined}) {
  return (
    <>
      {(hint !== undefined || children !== undefined) && (
        <div className={styles['notes']}>
          {hint !== undefined && (
            <Text className={styles['hint'] ?? ''} slot="description">
              {hint}
            </Text>
          )}
          {children}
        </div>
      )}
      <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
    </>
  );
}

/**
 * Returns the props that mark a field as invalid if it has an error. The mark does not stop a form from being
 * sent, since only the service decides what is valid.
 */
export function buildValidationProps(error: string | undefined): {
  validationBehavior: 'aria';
  isInvalid?: true;
} {
  return {validationBehavior: 'aria', ...(error !== undefined && {isInvalid: true})};
}
