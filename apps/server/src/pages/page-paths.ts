/** The addresses of the operators' page. What stands there is the page's own business, and so is what is unknown there. */
const PAGES = [
  '/',
  '/sign-in',
  '/invitation',
  '/board',
  '/board/:id',
  '/dialogs/:id',
  '/send',
  '/import',
  '/figures',
  '/runs',
  '/settings',
  '/settings/:page',
];

/** Shows the page's parts side by side, to those who make it. */
const DESIGN = '/design';

export const ASSETS = '/assets';

/** A file of the page, named by its content. */
export const ASSET = `${ASSETS}/:name`;

export const pagePaths = (showsDesign: boolean): string[] => (showsDesign ? [...PAGES, DESIGN] : PAGES);
