type Schema = Record<string, any>;

interface Samples {
  /** Each body that an operation's page offers, by its name; undefined where there is none to send. */
  bodiesOf: (operation: Schema, document: Schema) => [name: string, body: unknown][];
  /** What stands for a parameter of an operation, such as one of its path. */
  parameterOf: (parameter: Schema) => string;
}

export const { bodiesOf, parameterOf } = jest.requireActual<Samples>('../../../tools/openapi.samples.js');
