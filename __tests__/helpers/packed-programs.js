// Preloaded into a program that a test starts: its sources come from what is packed.
import { loadPacked, packs } from "../jest/load-packed.js";

loadPacked(packs.programs);
