/**
 * A file that is dropped where nothing takes it would be shown by the browser in the place of the page, and with the page
 * would go what was typed there.
 */
export function ignoreStrayFiles(): void {
  const ignore = (event: DragEvent): void => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  };
  addEventListener('dragover', ignore);
  addEventListener('drop', ignore);
}
