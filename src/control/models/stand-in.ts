import { readFile } from 'node:fs/promises';
import type { ControlSettings } from '../../config/control-settings.js';
import { SettingsError } from '../../config/environment.js';
import { RuleModel } from '../../rule-model/rule-model.js';
import { standInRules } from '../../rule-model/stand-in-rules.js';

/** Name of the stand-in wherever models are named. */
const standInModel = 'stand-in';

export interface StandIn {
  /** With the stand-in as language model. */
  readonly settings: ControlSettings;
  stop(): Promise<void>;
}

/**
 * Starts the stand-in that answers by rules, on a free loopback port, where the settings ask for it and name no endpoint.
 * Undefined: they do not. Throws `SettingsError` for rules that cannot be read.
 */
export async function startStandIn(settings: ControlSettings): Promise<StandIn | undefined> {
  const { models } = settings;
  if (models.standIn === undefined) return undefined;
  const { rulesFile, ...limits } = models.standIn;
  const model = await RuleModel.start(rulesFile === undefined ? standInRules : await rulesOf(rulesFile));
  const chat = { ...limits, url: model.url, key: undefined, model: standInModel, prices: undefined };
  return {
    settings: { ...settings, models: { ...models, chat, isStandIn: true } },
    stop: () => model.stop(),
  };
}

async function rulesOf(file: string): Promise<Parameters<typeof RuleModel.start>[0]> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new SettingsError([`DEMARC_LLM_STAND_IN_RULES: ${(error as Error).message}`], { cause: error });
  }
}
