import { Module } from '@nestjs/common';
import { AccountsController } from './accounts.controller';
import { UsersController } from './users.controller';
import { ApiKeysController } from './api-keys.controller';

@Module({ controllers: [AccountsController, ApiKeysController, UsersController] })
export class AccountsModule {}
