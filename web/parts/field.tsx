import type {ComponentType, ReactNode} from 'react';
import {Button, FieldError, Label, Text} from 'react-aria-components';
import {texts} from '../texts/texts.ts';
import {errorClass, hintClass, labelClass} from './field-classes.ts';
import {Icon, type IconName} from './icon.tsx';

/** Props of every field. `error` comes from the caller; errors of the `Form` appear without it. */
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
    <Element className={isLabelHidden ? 'sr-only' : labelClass}>
      {label}
      {isOptional && <span className="font-normal text-quiet"> {texts.parts.optional}</span>}
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
        <div className="flex gap-4">
          {hint !== undefined && (
            <Text className={hintClass} slot="description">
              {hint}
            </Text>
          )}
          {children}
        </div>
      )}
      <FieldError className={errorClass}>{error}</FieldError>
    </>
  );
}

/** A button inside a field's box, or in the head of a calendar. React Aria gives it its action. */
export function InnerButton({icon, slot}: {readonly icon: IconName; readonly slot?: string}) {
  return (
    <Button
      className="grid size-7 flex-none cursor-pointer place-items-center rounded-md text-quiet outline-0 outline-focus transition-colors data-disabled:cursor-not-allowed data-disabled:opacity-40 data-focus-visible:outline-2 data-focus-visible:-outline-offset-1 data-hovered:bg-ink/8 data-hovered:text-ink data-pressed:bg-ink/8 data-pressed:text-ink pointer-coarse:size-10"
      {...(slot !== undefined && {slot})}
    >
      <Icon name={icon} size={16} />
    </Button>
  );
}

/** Marks a field with an error as invalid. The form can still be sent: only the service decides. */
export function buildValidationProps(error: string | undefined): {
  validationBehavior: 'aria';
  isInvalid?: true;
} {
  return {validationBehavior: 'aria', ...(error !== undefined && {isInvalid: true})};
}
