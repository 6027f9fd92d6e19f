import "../look/look.css";
import { mount } from "svelte";
import { forPatrons } from "../catalogue/for_patrons";
import { words } from "../words/words.svelte";
import { offerKeypads } from "../keypad/keypad";
import StationPage from "./StationPage.svelte";

await words.open(forPatrons, "window_station");
mount(StationPage, { target: document.body });
offerKeypads();
