import {Overlay, type OverlayProps} from './overlay.tsx';

/** Slides in from the inline end, over its page. */
export function Sheet(props: OverlayProps) {
  return <Overlay {...props} variant="sheet" />;
}
