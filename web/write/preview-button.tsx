import {Button} from '../parts/button.tsx';
import {texts} from '../texts/texts.ts';

export function PreviewButton({
  isPreview,
  onChange,
}: {
  readonly isPreview: boolean;
  readonly onChange: (isPreview: boolean) => void;
}) {
  return (
    <Button aria-pressed={isPreview} kind="quiet" onPress={() => onChange(!isPreview)}>
      {texts.write.preview}
    </Button>
  );
}
