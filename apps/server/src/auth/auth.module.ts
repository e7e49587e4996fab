import { Module } from '@nestjs/common';
import { SessionCookie } from '../http/auth/session-cookie';
import { AuthController } from './auth.controller';
import { SecondFactorController } from './second-factor.controller';
import { SessionIssuer } from './session-issuer';

@Module({ controllers: [AuthController, SecondFactorController], providers: [SessionCookie, SessionIssuer] })
export class AuthModule {}
