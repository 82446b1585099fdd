import type {ComponentType, ReactNode} from 'react';
import {FieldError, Label, Text} from 'react-aria-components';
import {words} from '../words/words.ts';
import styles from './field.module.css';

/** Props of every field. `error` is the caller's; those of a `Form` show themselves. */
export interface FieldWords {
  readonly label: string;
  readonly hint?: ReactNode | undefined;
  readonly error?: string | undefined;
  /** Where a heading nearby says it already: the label is only read out. */
  readonly isLabelHidden?: boolean | undefined;
  readonly isOptional?: boolean | undefined;
}

export function FieldLabel({
  label,
  isLabelHidden = false,
  isOptional = false,
  element: Element = Label,
}: FieldWords & {readonly element?: ComponentType<{className?: string; children?: ReactNode}>}) {
  return (
    <Element className={styles[isLabelHidden ? 'hidden' : 'label'] ?? ''}>
      {label}
      {isOptional && <span className={styles['optional']}> {words.parts.optional}</span>}
    </Element>
  );
}

export function FieldNotes({
  hint,
  error,
  children,
}: Pick<FieldWords, 'hint' | 'error'> & {readonly children?: ReactNode | undefined}) {
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
 * An error that the caller gives marks its field. Nothing but the service decides whether a form may be sent.
 */
export function validationOf(error: string | undefined): {validationBehavior: 'aria'; isInvalid?: true} {
  return {validationBehavior: 'aria', ...(error !== undefined && {isInvalid: true})};
}
