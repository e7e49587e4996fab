type Schema = Record<string, any>;

interface Samples {
  /** Each body that an operation's page offers, by its name; undefined where there is none to send. */
  bodiesOf: (operation: Schema, document: Schema) => [name: string, body: unknown][];
  /** Each field of an operation's form. */
  formOf: (
    operation: Schema,
    document: Schema,
  ) => {
    name: string;
    required: boolean;
    file?: { name: string; type: string; content: string };
    text?: string;
  }[];
  /** What stands for a parameter of an operation, such as one of its path. */
  parameterOf: (parameter: Schema) => string;
}

export const { bodiesOf, formOf, parameterOf } = jest.requireActual<Samples>(
  '../../../tools/openapi.samples.js',
);
