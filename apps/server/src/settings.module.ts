import { Module, type DynamicModule, type ValueProvider } from '@nestjs/common';

/** Values of the settings that features ask for by their own tokens. */
@Module({})
export class SettingsModule {
  static with(values: ValueProvider[]): DynamicModule {
    return { module: SettingsModule, global: true, providers: values, exports: values };
  }
}
