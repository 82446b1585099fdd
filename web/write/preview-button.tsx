import {Button} from '../parts/button.tsx';
import {texts} from '../texts/texts.ts';

const focus = (button: HTMLButtonElement | null): void => button?.focus();

export function PreviewButton({
  isPreview,
  onChange,
}: {
  readonly isPreview: boolean;
  readonly onChange: (isPreview: boolean) => void;
}) {
  return (
    // The button that gives a text formatting shows the preview, and goes: this one takes its focus.
    <Button
      aria-pressed={isPreview}
      kind="quiet"
      onPress={() => onChange(!isPreview)}
      ref={isPreview ? focus : null}
    >
      {texts.write.preview}
    </Button>
  );
}
