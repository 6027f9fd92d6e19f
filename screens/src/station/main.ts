import "../look/look.css";
import { mount } from "svelte";
import { offerKeypads } from "../keypad/keypad";
import StationPage from "./StationPage.svelte";

mount(StationPage, { target: document.body });
offerKeypads();
